from .circle_too import around
