"""The six views: functions from the snapshot to rows. No Textual, no files, no state."""
