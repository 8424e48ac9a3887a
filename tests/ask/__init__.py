"""Tests of question answering, on an invented domain: ferries, their harbours and their crews."""
