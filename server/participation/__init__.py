"""What those who take part see of their own part: their matches, how well they judged, how they came across."""
