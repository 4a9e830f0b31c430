//! Messages over pipes: the transport of the crate lsp-server with a bound on what one message may ask to be allocated.

use crossbeam_channel::{Sender, bounded};
use lsp_server::{Connection, Message};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The longest message that is read, in bytes.
const MAX_MESSAGE: u64 = 64 << 20;
/// The longest line of a header, in bytes.
const MAX_HEADER: u64 = 4096;

/// The threads behind a connection.
pub struct Threads {
    /// What was wrong with the input.
    wrong: Arc<Mutex<Option<Error>>>,
    writer: JoinHandle<Result<()>>,
}

/// A connection over two pipes. It ends with its input, or at the first bytes that are no message.
///
/// # Errors
/// The system has no threads.
pub fn connect(
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send + 'static,
) -> Result<(Connection, Threads)> {
    let (received, receiver) = bounded::<Message>(0);
    let (sender, sent) = bounded::<Message>(0);
    let wrong = Arc::new(Mutex::new(None));
    let told = wrong.clone();
    Builder::new().name("tk-lsp-reader".into()).spawn(move || {
        // Before `received` goes, which the other side may wait for.
        *told.lock().unwrap_or_else(PoisonError::into_inner) = read_all(input, &received).err();
    })?;
    let writer = Builder::new().name("tk-lsp-writer".into()).spawn(move || {
        sent.into_iter().try_for_each(|message| message.write(&mut output))?;
        output.flush()
    })?;
    Ok((Connection { sender, receiver }, Threads { wrong, writer }))
}

fn read_all(input: impl BufRead, received: &Sender<Message>) -> Result<()> {
    let mut input = Bounded(input);
    while let Some(message) = Message::read(&mut input)? {
        let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
        if received.send(message).is_err() || is_exit {
            break;
        }
    }
    Ok(())
}

impl Threads {
    /// Waits until everything is written. The connection must be gone.
    ///
    /// # Errors
    /// What came in was no message, or nothing can be written any more.
    pub fn finish(self) -> Result<()> {
        let written = self.writer.join().map_err(|_| Error::other("a thread of the connection panicked"))?;
        // A reader that waits for a client says nothing.
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner).take();
        wrong.map_or(written, Err)
    }
}

/// Input whose headers are short and ask for no more than a message may have.
struct Bounded<R>(R);

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }

    /// Only headers are read by lines.
    fn read_line(&mut self, line: &mut String) -> Result<usize> {
        let from = line.len();
        let read = (&mut self.0).take(MAX_HEADER).read_line(line)?;
        let header = &line[from..];
        if read as u64 == MAX_HEADER && !header.ends_with('\n') {
            return Err(Error::new(ErrorKind::InvalidData, "a header line without end"));
        }
        let length = header.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length = length.and_then(|(_, digits)| digits.trim().parse::<u64>().ok());
        if length.is_some_and(|length| length > MAX_MESSAGE) {
            let message = format!("a message of more than {} MiB", MAX_MESSAGE >> 20);
            return Err(Error::new(ErrorKind::InvalidData, message));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is received from these bytes, and how the connection ends.
    fn received(bytes: &str) -> (usize, Result<()>) {
        let (connection, threads) = connect(std::io::Cursor::new(bytes.to_string()), std::io::sink()).expect("threads");
        let count = connection.receiver.iter().count();
        drop(connection);
        (count, threads.finish())
    }

    #[test]
    fn what_is_no_message_ends_the_connection_with_an_error() {
        let note = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
        let fine = format!("Content-Length: {}\r\n\r\n{note}", note.len());
        assert!(matches!(received(&fine.repeat(2)), (2, Ok(()))));
        assert!(matches!(received(""), (0, Ok(()))));
        let wrong = [
            format!("{fine}Content-Length: 99999999999999\r\n\r\n"),
            format!("{fine}content-length: 18446744073709551616\r\n\r\n"),
            format!("{fine}{}", "x".repeat(100_000)),
            format!("{fine}Content-Length: 3\r\n\r\n{{}}}}"),
            format!("{fine}Content-Length: 30000000\r\n\r\nshort"),
            format!("{fine}Content-Length: 20000\r\n\r\n{}", "[".repeat(20_000)),
            format!("{fine}\r\n\r\n"),
            format!("{fine}Content-Length: -1\r\n\r\n{note}"),
        ];
        for bytes in wrong {
            let (count, end) = received(&bytes);
            assert!(count == 1 && end.is_err(), "{count} {end:?}: {}", &bytes[..bytes.len().min(200)]);
        }
    }
}
