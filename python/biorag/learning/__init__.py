"""What is learnt from the store itself: vectors of its words, thresholds, weights."""
