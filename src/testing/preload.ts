// A test never waits for a default time zone or a colour: both would differ between machines.
process.env.TZ = 'UTC'

// Tests of the console have a page to draw on; those of the server have none, and run in a process of their own.
const [, first = ''] = process.argv
if (first.includes('/admin-ui/')) await import('../../admin-ui/testing/dom.ts')

// Other files of tests run beside a child of this one, and would take the processor from it until its deadline.
const { childrenYield } = await import('../platform/query-runner/limits.ts')
childrenYield.value = false

const { runTasksHere } = await import('./tasks-here.ts')
runTasksHere()

// Passwords of tests guard nothing, and their hashes would take most of the time of many of them.
const { hashing } = await import('../modules/firm/auth/auth.passwords.ts')
hashing.parameters = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export {}
