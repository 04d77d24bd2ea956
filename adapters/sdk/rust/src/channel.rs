//! The two pipes to the harness, kept from everybody else in the process.
//!
//! Enters: bytes on the process's stdin. Leaves: whole lines, and lines written to what was its stdout. Must not know
//! JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;

/// Holds stdin and stdout for the protocol; for all other code the first is empty and the second is stderr.
pub struct Channel {
    input: BufReader<File>,
    output: File,
}

impl Channel {
    /// Takes the process's pipes.
    pub fn take() -> io::Result<Self> {
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        rustix::stdio::dup2_stdout(io::stderr())?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        Ok(Self { input: BufReader::with_capacity(1 << 16, input), output })
    }

    /// Returns the next line without its line feed, which alone ends a line, or None at the end.
    pub fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        next_line(&mut self.input)
    }

    /// Writes one line, whole, at once.
    pub fn write(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        self.output.write_all(&line)
    }
}

fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_feed_alone_ends_a_line() {
        let mut input = "a\r\u{2028}\u{85}b\nc".as_bytes();
        assert_eq!(next_line(&mut input).unwrap().unwrap(), "a\r\u{2028}\u{85}b".as_bytes());
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"c");
        assert_eq!(next_line(&mut input).unwrap(), None);
    }
}
