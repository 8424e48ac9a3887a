"""Questions as typed forms over rows of observations, and the parser that ranks them by learned weights.

``forms`` holds the algebra, ``evaluate`` its meaning, ``english`` its reading; ``links``, ``compose``, ``features`` and
``ranker`` turn a question into ranked forms (``parse``); ``documents`` and ``answers`` do so for documents' tables.
"""
