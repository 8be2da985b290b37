"""What researchers see: the study at a glance, the strategies in their space, the persons who judge."""
