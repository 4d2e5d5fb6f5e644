import { defineErrors } from '../../platform/http/problem.ts'

/** Refusals of the four-eyes rules. Their codes are those of rules.md, without a module's name in front. */
export const independenceErrors = defineErrors('', {
  not_independent: [
    403,
    'Your account is not yours alone: a third person has to vouch for it before your vote counts.',
  ],
  own_client: [
    403,
    'You could sign in as this client (you read or sent a link, or entered the address): somebody else decides.',
  ],
  password_change_required: [403, 'Change the password that a colleague gave you first; then this is possible.'],
  second_person_needed: [409, 'A second, independent person is needed from this amount on.'],
  note_required: [422, 'This decision needs a note.'],
})
