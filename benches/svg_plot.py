"""Line plots as SVG text, with nothing but the standard library: a logarithmic x axis of sizes, a y axis from zero."""
import math
from html import escape

COLORS = ('#1f6feb', '#d29922', '#3fb950', '#db61a2', '#8b949e', '#f85149')
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 20, 46, 52


def nice_step(top, parts=6):
    """A step of 1, 2 or 5 times a power of ten that divides 0 to `top` into about `parts` parts."""
    rough = top / parts
    power = 10 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def plot(title, x_label, y_label, series):
    """The SVG of `series`: {name: [(x, y), …]}, x above 0."""
    xs = sorted({x for points in series.values() for x, _ in points})
    top = max(y for points in series.values() for _, y in points) * 1.08
    step = nice_step(top)
    low, high = math.log(xs[0]), math.log(xs[-1])

    def at(x, y):
        share = (math.log(x) - low) / (high - low) if high > low else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM)

    text = lambda x, y, body, anchor='middle', extra='': (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{escape(str(body))}</text>')
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(WIDTH / 2, 18, title, extra='font-size="14" font-weight="bold"'),
        text(WIDTH / 2, HEIGHT - 10, x_label),
        text(0, 0, y_label, extra=f'transform="translate(16 {HEIGHT / 2}) rotate(-90)"'),
    ]
    y = 0.0
    while y <= top:
        _, py = at(xs[0], y)
        out.append(f'<line x1="{LEFT}" y1="{py:.1f}" x2="{WIDTH - RIGHT}" y2="{py:.1f}" stroke="#e1e4e8"/>')
        out.append(text(LEFT - 6, py + 4, f'{y:g}', 'end'))
        y += step
    for x in xs:
        px, py = at(x, 0)
        out.append(f'<line x1="{px:.1f}" y1="{py:.1f}" x2="{px:.1f}" y2="{py + 5:.1f}" stroke="#57606a"/>')
        out.append(text(px, py + 18, x))
    for i, (name, points) in enumerate(series.items()):
        color = COLORS[i % len(COLORS)]
        places = [at(x, y) for x, y in sorted(points)]
        path = ' '.join(f'{px:.1f},{py:.1f}' for px, py in places)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        out += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{color}"/>' for px, py in places]
        lx = LEFT + 10 + i * 150
        out.append(f'<line x1="{lx}" y1="{TOP - 12}" x2="{lx + 22}" y2="{TOP - 12}" stroke="{color}" stroke-width="2"/>')
        out.append(text(lx + 28, TOP - 8, name, 'start'))
    out.append('</svg>')
    return '\n'.join(out) + '\n'
