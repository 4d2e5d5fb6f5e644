// No test depends on the machine's time zone or on colours, which differ between machines.
process.env.TZ = 'UTC'

// Tests of the console need a page; those of the server have none, and run in their own process.
const [, first = ''] = process.argv
if (first.includes('/admin-ui/')) await import('../../admin-ui/testing/dom.ts')

// Other test files run beside a child of this one, and would take the processor from it until its deadline.
const { childrenYield } = await import('../platform/query-runner/limits.ts')
childrenYield.value = false

const { runTasksHere } = await import('./tasks-here.ts')
runTasksHere()

// Passwords of tests guard nothing, and their hashes would take most of the time of many tests.
const { hashing } = await import('../modules/firm/auth/auth.passwords.ts')
hashing.parameters = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export {}
