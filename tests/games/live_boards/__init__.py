"""TV, live boards and the stream overlay: selection, display and the socket."""
