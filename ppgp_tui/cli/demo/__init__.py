"""A throw-away repository and a scripted agent, to see the app at work without one's own goal."""
