import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readdirSync, readlinkSync } from 'node:fs'

const SOL_SOCKET = 1
const SO_ACCEPTCONN = 30
const SO_ATTACH_REUSEPORT_CBPF = 51
/** The one instruction of the filter, “return this number”: which listener of the port takes a connection. */
const BPF_RETURN = 0x06
const OURS = '/proc/self/fd'

const open = (library: string) =>
  dlopen(library, {
    getsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
    setsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
    getsockname: { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  }).symbols
type Libc = ReturnType<typeof open>

let opened: Libc | undefined
function libc(): Libc {
  try {
    opened ??= open('libc.so.6')
  } catch {
    opened ??= open(`libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`)
  }
  return opened
}

const isSocket = (fd: string): boolean => {
  try {
    return readlinkSync(`${OURS}/${fd}`).startsWith('socket:')
  } catch {
    return false
  }
}

/** The descriptor of a socket of this process that listens on a port; the runtime does not tell it. */
function listenerOn(port: number, { getsockopt, getsockname }: Libc): number | undefined {
  for (const name of readdirSync(OURS)) {
    if (!isSocket(name)) continue
    const fd = Number(name)
    const listens = new Int32Array(1)
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, ptr(listens), ptr(new Uint32Array([4]))) !== 0) continue
    if (listens[0] !== 1) continue
    const address = new DataView(new ArrayBuffer(128))
    // the port stands at the same place of an IPv4 and an IPv6 address
    if (getsockname(fd, ptr(address), ptr(new Uint32Array([128]))) === 0 && address.getUint16(2) === port) return fd
  }
  return undefined
}

/**
 * Makes the kernel hand each new connection of a port that several listeners share to the one at `index`, counted in
 * the order in which they began to listen. Whether it did: elsewhere than on Linux it cannot, and shares them out.
 */
export function steer(port: number, index: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const library = libc()
    const fd = listenerOn(port, library)
    if (fd === undefined) return false
    const filter = new DataView(new ArrayBuffer(8))
    filter.setUint16(0, BPF_RETURN, true)
    filter.setUint32(4, index, true)
    const program = new DataView(new ArrayBuffer(16))
    program.setUint16(0, 1, true)
    program.setBigUint64(8, BigInt(ptr(filter)), true)
    return library.setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), 16) === 0
  } catch {
    return false
  }
}
