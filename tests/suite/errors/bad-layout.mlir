// run: tk opt $FILE --passes cse
// exit: 1
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4]}>
module {
}
