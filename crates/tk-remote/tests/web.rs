//! A cache behind S3 and behind a web server: both are a server of the test, which knows GET, HEAD and PUT and checks what it is sent.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tk_launch::Remote;
use tk_remote::Service;

/// What a server lets its clients do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Everyone may read, and nobody may write.
    Read,
    /// Who signs as S3's clients do may read and write.
    Signed,
}

#[derive(Default)]
struct Contents {
    files: HashMap<String, Vec<u8>>,
    requests: Vec<String>,
    is_broken: bool,
}

/// A web server that ends with the process.
struct Server {
    address: SocketAddr,
    contents: Arc<Mutex<Contents>>,
}

impl Server {
    fn start(access: Access) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { address: listener.local_addr().unwrap(), contents: Arc::default() };
        let contents = server.contents.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let contents = contents.clone();
                std::thread::spawn(move || while answer(&stream, access, &contents).is_some() {});
            }
        });
        server
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap()
    }
}

/// Answers one request; nothing at the end of a connection.
fn answer(stream: &TcpStream, access: Access, contents: &Mutex<Contents>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_string(), words.next()?.to_string());
    let path = target.split('?').next()?.to_string();
    let (mut length, mut is_signed) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "authorization" => is_signed = value.contains("AWS4-HMAC-SHA256 Credential=reader/"),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut contents = contents.lock().unwrap();
    contents.requests.push(format!("{method} {path}"));
    let (status, sent) = match method.as_str() {
        _ if contents.is_broken => ("500 Broken", Vec::new()),
        _ if access == Access::Signed && !is_signed => ("403 Forbidden", Vec::new()),
        "PUT" if access == Access::Signed => {
            contents.files.insert(path, body);
            ("200 OK", Vec::new())
        }
        "GET" | "HEAD" => match contents.files.get(&path) {
            Some(file) => ("200 OK", file.clone()),
            None => ("404 Not Found", Vec::new()),
        },
        _ => ("405 Method Not Allowed", Vec::new()),
    };
    drop(contents);
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"1\"\r\n\r\n", sent.len());
    let mut stream = stream;
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(if method == "HEAD" { &[] } else { &sent }).ok()
}

fn s3(server: &Server, user: &str) -> String {
    let account =
        format!("access_key_id={user}&secret_access_key=secret&disable_config_load=true&disable_ec2_metadata=true");
    format!("s3://bucket/kernels?region=us-east-1&endpoint=http://{}&{account}", server.address)
}

#[test]
fn what_is_stored_in_s3_is_found_by_others() {
    let server = Server::start(Access::Signed);
    let (one, other) = (Service::open(&s3(&server, "reader")).unwrap(), Service::open(&s3(&server, "reader")).unwrap());
    assert_eq!(one.get("a.tkimage"), None);
    one.put("a.tkimage", vec![7; 100_000]);
    let found = other.get("a.tkimage");
    assert!(found == Some(vec![7; 100_000]), "{:?}", server.contents().requests);
    assert_eq!(server.contents().files.keys().collect::<Vec<_>>(), ["/bucket/kernels/a.tkimage"]);
}

#[test]
fn s3_without_the_right_account_is_not_used() {
    let server = Server::start(Access::Signed);
    let stranger = Service::open(&s3(&server, "stranger")).unwrap();
    (0..5).for_each(|_| stranger.put("a", vec![1]));
    assert_eq!(stranger.get("a"), None);
    assert!(stranger.is_only_read() && server.contents().files.is_empty());
    assert!(server.contents().requests.iter().any(|request| request.starts_with("PUT")), "it was tried");
}

#[test]
fn a_web_server_is_read_and_never_written() {
    let server = Server::start(Access::Read);
    server.contents().files.insert("/folder/a.tkimage".into(), b"kernel".to_vec());
    let service = Service::open(&format!("http://{}/folder", server.address)).unwrap();
    let found = service.get("a.tkimage");
    assert_eq!(found, Some(b"kernel".to_vec()), "{:?}", server.contents().requests);
    assert_eq!(service.get("b.tkimage"), None);
    (0..5).for_each(|_| service.put("b.tkimage", vec![1]));
    assert!(service.is_only_read() && !service.has_given_up());
    assert_eq!(server.contents().files.len(), 1);
    assert!(server.contents().requests.iter().all(|request| !request.starts_with("PUT")), "nothing is offered");
}

#[test]
fn a_server_that_fails_costs_little_time() {
    for place in [Access::Read, Access::Signed] {
        let server = Server::start(place);
        server.contents().is_broken = true;
        let address = match place {
            Access::Read => format!("http://{}/folder", server.address),
            Access::Signed => s3(&server, "reader"),
        };
        let service = Service::open(&address).unwrap();
        let start = Instant::now();
        (0..20).for_each(|_| assert_eq!(service.get("a"), None));
        assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
        assert!(service.has_given_up());
        let asked = server.contents().requests.len();
        assert!((1..=10).contains(&asked), "{asked} requests");
    }
}
