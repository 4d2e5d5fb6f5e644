import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { MIB } from '../bytes.ts'

/** The memory that a child may take in addition to what the runtime reserves at its start. */
export const CHILD_BYTES = 512 * MIB

const RLIMIT_CPU = 0
const RLIMIT_DATA = 2
/** A child has the lowest priority, since the work of the server comes first. */
const NICENESS = 19

/** The policy of Linux for a process that runs only when no other process wants to. */
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

/** Returns the bytes of data that this process has mapped; the runtime has reserved most of them without using them. */
const mapped = (): number => Number(/^VmData:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024

/**
 * Limits memory and CPU time of this process with limits of the kernel, which the process cannot raise again; the
 * container has no shell for `ulimit`. On systems other than Linux, where the program is only developed, it does
 * nothing. Throws if the kernel refuses a limit.
 */
export function limitThisProcess({ cpuSeconds, bytes = CHILD_BYTES }: { cpuSeconds: number; bytes?: number }): void {
  if (process.platform !== 'linux') return
  const { setrlimit } = libc()
  const limit = (resource: number, value: number) => {
    // both the soft and the hard limit, so that no later code can raise it
    const pair = new BigUint64Array([BigInt(value), BigInt(value)])
    if (setrlimit(resource, ptr(pair)) !== 0) throw new Error(`could not limit resource ${resource}`)
  }
  limit(RLIMIT_DATA, mapped() + bytes)
  limit(RLIMIT_CPU, cpuSeconds)
}

/**
 * Whether children have the lowest priority on the machine. Tests turn it off: several test files keep every core busy,
 * and a child that waits for all of them would reach its deadline before it starts.
 */
export const childrenYield = { value: true }

/**
 * Gives a child that was just started the lowest priority. The server does this: the child itself could do it only
 * after its start, which is half of a short task, and not for the threads that its runtime has already made.
 */
export function yieldProcessor(pid: number): void {
  if (!childrenYield.value) return
  try {
    setPriority(pid, NICENESS)
    // The server interrupts an idle process at once, but a nice one only after its turn of some milliseconds. If the
    // system refuses this policy, the child is still nice.
    if (process.platform === 'linux') libc().sched_setscheduler(pid, SCHED_IDLE, ptr(new Int32Array([0])))
  } catch {
    // the child has ended already
  }
}

/** Returns the bytes of memory that another process holds; null if it has ended, or the system does not say. */
export function residentBytes(pid: number): number | null {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * 4096
  } catch {
    return null
  }
}
