"""Files and folders: how they are opened, replaced and found without following anybody's link."""
