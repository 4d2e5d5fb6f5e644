// No test depends on the machine's time zone or on colours, which differ between machines.
process.env.TZ = 'UTC'

// Tests of the console need a page, which tests of the server must not see, so the two run in separate processes.
const [, first = ''] = process.argv
if (first.includes('/admin-ui/')) await import('../../admin-ui/testing/dom.ts')
else
  Object.defineProperty(globalThis, 'localStorage', {
    get: () => {
      throw new Error('Run tests of admin-ui and of src apart, or by “bun run test”, which does so.')
    },
  })

// Other test files run beside a child of this one; if it yielded, they would keep it from the processor too long.
const { childrenYield } = await import('../platform/query-runner/limits.ts')
childrenYield.value = false

const { runTasksHere } = await import('./tasks-here.ts')
runTasksHere()

const { speakToTerminalsHere } = await import('./terminals-here.ts')
speakToTerminalsHere()

// Passwords of tests protect nothing, and hashes of full cost would take most of the time of many tests.
const { hashing } = await import('../modules/firm/auth/auth.passwords.ts')
hashing.parameters = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export {}
