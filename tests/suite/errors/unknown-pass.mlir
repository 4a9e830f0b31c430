// run: tk opt $FILE --passes coalesec
// exit: 1
module {
}
