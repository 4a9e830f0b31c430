//! The plot of `tk tune`: for each tuning a bar for every configuration, as long as its time or its work.

use std::fmt::Write;
use tk::{Trial, TuneReport};

/// Sizes in pixels.
const WIDTH: f64 = 900.0;
const LABELS: f64 = 420.0;
const ROW: f64 = 18.0;
const HEAD: f64 = 40.0;

/// What is drawn of a configuration.
struct Bar {
    label: String,
    /// Milliseconds, or the work that the simulator counted.
    length: f64,
    text: String,
    is_winner: bool,
}

/// All tunings below each other, as one SVG.
pub(super) fn svg(reports: &[TuneReport]) -> String {
    let (mut body, mut y) = (String::new(), 0.0);
    for report in reports {
        let bars = bars(report);
        draw(&mut body, report, &bars, y);
        y += HEAD + ROW * bars.len() as f64 + ROW;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{y}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn draw(body: &mut String, report: &TuneReport, bars: &[Bar], top: f64) {
    let title = escaped(&format!("{} for {} on {}", report.kernel, report.key, report.device));
    let _ = writeln!(body, "<text x=\"8\" y=\"{}\" font-weight=\"bold\">{title}</text>", top + 24.0);
    let longest = bars.iter().map(|bar| bar.length).fold(f64::MIN_POSITIVE, f64::max);
    for (at, bar) in bars.iter().enumerate() {
        let y = top + HEAD + ROW * at as f64;
        let length = (WIDTH - LABELS - 120.0) * bar.length / longest;
        let color = if bar.is_winner { "#1a7f37" } else { "#8aa4c8" };
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LABELS}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{}\">{}</text>",
            LABELS - 8.0,
            y + 12.0,
            escaped(&bar.label),
            y + 2.0,
            ROW - 5.0,
            LABELS + length + 6.0,
            y + 12.0,
            escaped(&bar.text)
        );
    }
}

/// The configurations that ran, the best first, then those that did not.
fn bars(report: &TuneReport) -> Vec<Bar> {
    let mut bars: Vec<Bar> =
        report.trials.iter().enumerate().map(|(at, trial)| bar(trial, at == report.winner)).collect();
    let rank = |bar: &Bar| if bar.length > 0.0 { bar.length } else { f64::INFINITY };
    bars.sort_by(|a, b| b.is_winner.cmp(&a.is_winner).then(rank(a).total_cmp(&rank(b))));
    bars
}

fn bar(trial: &Trial, is_winner: bool) -> Bar {
    let label = trial.settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
    let (length, text) = match &trial.outcome {
        Ok(figures) => match (figures.time, figures.work) {
            (Some(time), _) => (time.ms, format!("{:.4} ms", time.ms)),
            (None, Some(work)) => {
                (work.amount() as f64, format!("{} instructions, {} sectors", work.warp_instructions, work.sectors))
            }
            (None, None) => (0.0, "not timed".to_string()),
        },
        Err(why) => (0.0, why.lines().next().unwrap_or_default().to_string()),
    };
    Bar { label, length, text, is_winner }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
