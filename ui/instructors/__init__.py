"""Pages for instructors: an overview of the course, and exam questions."""
