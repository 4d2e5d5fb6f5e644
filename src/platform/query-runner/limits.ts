import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { MIB } from '../bytes.ts'

/** Memory that a child may take on top of what the runtime has reserved at its start. */
export const CHILD_BYTES = 512 * MIB

const RLIMIT_CPU = 0
const RLIMIT_DATA = 2
/** The server's own work comes first: a child gets what nobody else wants of the processor. */
const NICENESS = 19

/** The policy of Linux for a process that runs only where no other one wants to. */
const SCHED_IDLE = 5

const open = (library: string) =>
  dlopen(library, {
    setrlimit: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
    sched_setscheduler: { args: [FFIType.i32, FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  }).symbols

let opened: ReturnType<typeof open> | undefined
function libc() {
  try {
    opened ??= open('libc.so.6')
  } catch {
    opened ??= open(`libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`)
  }
  return opened
}

/** Bytes of data segment that this process has mapped; most of them reserved by the runtime, not used. */
const mapped = (): number => Number(/^VmData:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024

/**
 * Takes from this process what it must not use up: memory and CPU, by limits of the kernel that
 * nothing in it can lift. The container has no shell for `ulimit`. Elsewhere than on Linux, where the
 * program is only developed, it does nothing.
 */
export function limitThisProcess({ cpuSeconds, bytes = CHILD_BYTES }: { cpuSeconds: number; bytes?: number }): void {
  if (process.platform !== 'linux') return
  const { setrlimit } = libc()
  const limit = (resource: number, value: number) => {
    // soft and hard: nothing that runs later can raise it
    const pair = new BigUint64Array([BigInt(value), BigInt(value)])
    if (setrlimit(resource, ptr(pair)) !== 0) throw new Error(`could not limit resource ${resource}`)
  }
  limit(RLIMIT_DATA, mapped() + bytes)
  limit(RLIMIT_CPU, cpuSeconds)
}

/**
 * Whether children come after everything else on the machine. Tests turn it off: several files of them keep every core
 * busy, and a child that waits for all of them meets its deadline before it has begun.
 */
export const childrenYield = { value: true }

/**
 * Moves a child that was just started back in the queue for the processor. The server does it: the child itself
 * could only after its start, which is half of a short task, and not for the threads that its runtime has by then.
 */
export function yieldProcessor(pid: number): void {
  if (!childrenYield.value) return
  try {
    setPriority(pid, NICENESS)
    // The server interrupts an idle process at once, while a nice one may first end its turn of some milliseconds.
    // Where the system refuses, the child is no worse than nice.
    if (process.platform === 'linux') libc().sched_setscheduler(pid, SCHED_IDLE, ptr(new Int32Array([0])))
  } catch {
    // it has ended already
  }
}

/** Bytes that another process really holds; null when it is gone, or where the system does not say. */
export function residentBytes(pid: number): number | null {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * 4096
  } catch {
    return null
  }
}
