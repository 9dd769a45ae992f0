"""What is learnt from the store and from use."""
