"""Every error that biorag raises, one class a cause, each with a stable `code` for clients."""

from __future__ import annotations


class BioragError(Exception):
    """Base of every error that biorag raises on purpose.

    Attributes:
        code: Stable identifier that clients may branch on; the message is for people.
    """

    code = "BIORAG_ERROR"


class SettingsError(BioragError, ValueError):
    """An environment variable holds a value that its setting cannot take."""

    code = "CONFIGURACION_INVALIDA"


class InvalidInputError(BioragError, ValueError):
    """A caller's value breaks the input contract; nothing was read or written.

    Attributes:
        field: Name of the parameter at fault.
        value: What came, shortened when long.
        rule: What would have been right.
    """

    code = "ENTRADA_INVALIDA"

    def __init__(self, field: str, value: object, rule: str, *, code: str | None = None) -> None:
        self.field = field
        self.value = shortened(value)
        self.rule = rule
        if code is not None:
            self.code = code
        super().__init__(f"{field}={self.value}: {rule}")


class KeyNounsError(InvalidInputError):
    """Key nouns are missing, too many, too few, or not words."""

    code = "SUSTANTIVOS_CLAVE_FORMATO_INVALIDO"


class PriorSearchError(InvalidInputError):
    """A memory was to be learnt without searching for it first."""

    code = "BUSQUEDA_PREVIA_REQUERIDA"


class DimensionsError(InvalidInputError):
    """A dimension names an axis that there is not, or a value that cannot be one.

    Attributes:
        invalid: `axis:value` of each that is at fault.
    """

    code = "DIMENSIONES_INVALIDAS"

    def __init__(self, field: str, invalid: tuple[str, ...], rule: str) -> None:
        self.invalid = invalid
        super().__init__(field, ", ".join(invalid), rule)


class BridgesError(InvalidInputError):
    """Bridges are not five of five angles, or one of them leads nowhere of its own."""

    code = "PUENTES_INVALIDOS"


class LimitExceededError(InvalidInputError):
    """A value is larger than the engine takes."""

    code = "LIMITE_EXCEDIDO"


class MissingParameterError(InvalidInputError):
    """A tool was called without a parameter that it needs."""

    code = "PARAMETRO_AUSENTE"


class UnknownParameterError(InvalidInputError):
    """A tool was called with parameters that it does not have.

    Attributes:
        nearest: Parameters that were probably meant, one for each unknown name that has one.
    """

    code = "PARAMETRO_DESCONOCIDO"

    def __init__(
        self,
        unknown: tuple[str, ...],
        *,
        missing: tuple[str, ...],
        known: tuple[str, ...],
        nearest: tuple[str, ...],
    ) -> None:
        self.nearest = nearest
        lacks = f"; missing: {', '.join(missing)}" if missing else ""
        meant = f"; probably meant: {', '.join(nearest)}" if nearest else ""
        names = ", ".join(shortened(name, 40) for name in unknown[:8])
        rule = f"unknown: {names}{lacks}{meant}; known: {', '.join(known)}"
        super().__init__(unknown[0][:40], None, rule)
        self.args = (rule,)


class NotFoundError(BioragError, LookupError):
    """Something that was named does not exist."""

    code = "NO_ENCONTRADO"


class NodeNotFoundError(NotFoundError):
    """No memory has this name.

    Attributes:
        name: The name that was asked for.
        nearest: Names that exist and are close to it, nearest first.
    """

    code = "CONCEPTO_NO_ENCONTRADO"
    field = "name"

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        self.name = name
        self.nearest = nearest
        hint = f"; nearest names: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"no memory is named {shortened(name)}{hint}")


class HubNotFoundError(NotFoundError):
    """No Concept Hub has this name.

    Attributes:
        name: The name that was asked for.
        nearest: Names that exist and are close to it, nearest first.
    """

    code = "HUB_NO_ENCONTRADO"
    field = "hub_id"

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        self.name = name
        self.nearest = nearest
        hint = f"; nearest names: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"no hub is named {shortened(name)}{hint}")


class CorpusError(BioragError, ValueError):
    """A folder is not a retrieval corpus that can be measured; the message names file and line."""

    code = "CORPUS_INVALIDO"


class MissingExtraError(BioragError, ImportError):
    """A library of an optional extra is needed and not installed.

    Attributes:
        library: What could not be imported.
        extra: The extra of biorag that brings it.
    """

    code = "EXTRA_NO_INSTALADO"

    def __init__(self, library: str, extra: str) -> None:
        self.library = library
        self.extra = extra
        super().__init__(
            f"{library} is not installed; it comes with: pip install 'biorag[{extra}]'"
        )


class MeasurementError(BioragError):
    """A system under measurement failed; the message says which and why."""

    code = "MEDIDA_FALLIDA"


class StorageError(BioragError):
    """The store cannot do what was asked of it."""

    code = "ALMACEN"


class DatabaseBusyError(StorageError):
    """Another process held the store's write lock for longer than the busy timeout."""

    code = "BASE_OCUPADA"


class DiskFullError(StorageError):
    """The file system has no room left; nothing of the failed write remains."""

    code = "DISCO_LLENO"


class ReadOnlyStoreError(StorageError):
    """The store's file or folder does not allow writing."""

    code = "SOLO_LECTURA"


class SchemaVersionError(StorageError):
    """The store was written by a newer biorag; it was left untouched."""

    code = "ESQUEMA_MAS_NUEVO"


class CorruptDataError(StorageError):
    """Stored bytes are not what biorag writes."""

    code = "DATOS_CORRUPTOS"


class KernelInputError(BioragError, ValueError):
    """A native kernel refused its input."""

    code = "KERNEL"


class ShapeError(KernelInputError):
    """A buffer's length does not fit the shape that a kernel needs."""

    code = "KERNEL_FORMA"


def shortened(value: object, limit: int = 80) -> str:
    """The value as Python would write it, cut to `limit` characters with its true length told."""
    try:
        text = repr(value) if not isinstance(value, str) else repr(value[: limit + 1])
    except ValueError:  # Python does not write out an integer of more than 4,300 digits
        return f"a {type(value).__name__} too long to write out"
    size = len(value) if isinstance(value, str) else len(text)
    return text if size <= limit else f"{text[:limit]}… ({size} characters)"
