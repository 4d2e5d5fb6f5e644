import { defineErrors } from '../../platform/http/problem.ts'

export const userErrors = defineErrors('users', {
  above_you: [403, 'Nobody changes a user above their own role, or grants a role above it.'],
  last_owner: [409, 'The firm needs an active owner: this is the last one.'],
  self: [409, 'You cannot disable or delete yourself.'],
  not_by_key: [
    403,
    'An API key acts on users below its maker’s role only, never on the second factor, and vouches for nobody.',
  ],
  own_two_factor: [409, 'Turn your own second factor off under Security, with your password and a code.'],
  alone_already: [409, 'This account is its holder’s alone already.'],
  no_second_factor: [409, 'They turn on a second factor first; then somebody vouches for them.'],
  not_invited: [409, 'Only an invited user who has not accepted yet gets a new invite.'],
})
