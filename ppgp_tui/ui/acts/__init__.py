"""What keys do to the seat, one module for each kind of deed."""
