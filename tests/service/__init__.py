"""The public faces: tools, MCP server, command line."""
