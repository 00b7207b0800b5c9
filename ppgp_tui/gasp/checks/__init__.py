"""The seven conformance checks (GASP reference section 11), one module each."""
