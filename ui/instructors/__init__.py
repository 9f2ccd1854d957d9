"""What only instructors need: the course at a glance, and exam questions."""
