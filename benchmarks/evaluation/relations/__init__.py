"""What only the measurements of facts from prose need: places of marked facts, a data set's own ways of writing."""
