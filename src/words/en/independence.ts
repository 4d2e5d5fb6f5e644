import { ALONE_HOURS, INVOLVED_DAYS } from '../rule-figures.ts'

/** Independence of an account, and why an approval does not count. */
export const independence = {
  'independence.error.not_independent':
    'Your account is not yours alone: a third person has to vouch for it before your vote counts.',
  'independence.error.own_client':
    'You could sign in as this client (you read or sent a link, or entered the address): somebody else decides.',
  'independence.error.password_change_required':
    'Change the password that a colleague gave you first; then this is possible.',
  'independence.error.nobody_else':
    'Nobody else here could: invite a colleague as manager or higher, or let an owner raise the threshold for what is asked from then on.',
  'independence.error.second_person_needed': 'A second, independent person is needed from this amount on.',
  'independence.error.another_decides':
    'You had a part in this yourself: another manager, admin or owner, whose account is not yours too, decides it.',
  'independence.error.waits':
    'You had a part in this yourself, and the firm has nobody else who decides: it is possible from {at} on, and at once by a second manager whose account is theirs alone.',
  'independence.mail.block_lifted':
    '{names} lifted {block, select, match {a confirmed sanctions match} hold {a legal hold} stop {a suspension or closure} other {failed or revoked documents}} of a client',
  'independence.mail.block_lifted_of': `{names} lifted {block, select, match {a confirmed sanctions match} hold {a legal hold} stop {a suspension or closure} other {failed or revoked documents}} of a client. For ${INVOLVED_DAYS} days they are not the only one to let money of this client out. If you did not expect this, look at the audit log:\n{publicUrl}/admin/audit`,
  'independence.error.note_required': 'This decision needs a note.',
  'independence.mail.alone_by_time.subject': '{displayName} may decide about money now',
  'independence.mail.alone_by_time.text': `No third person is in the firm who could vouch for {displayName}, and ${ALONE_HOURS} hours have passed: from now on their votes count. If you do not know this person, disable the account at once.`,
  'independence.error.vote_uncounted': 'Your vote does not count yet. {why}',
  'independence.why.account_unknown': 'There is no such account.',
  'independence.why.alone': 'Nobody else could sign in here.',
  'independence.why.alone_by_time': `No third person is there, and ${ALONE_HOURS} hours have passed.`,
  'independence.act.invited': 'invited them',
  'independence.act.password': 'set their password',
  'independence.act.link': 'read one of their links',
  'independence.act.second_factor': 'took off their second factor',
  'independence.act.role': 'raised their role',
  'independence.why.no_second_factor':
    'A colleague {acts}. They turn on a second factor; then a third person of admin or higher vouches for them.',
  'independence.why.not_vouched_for':
    'A colleague {acts}. A third person of admin or higher, whose own account is theirs alone, has to vouch for them.',
  'independence.why.time_alone': `A colleague {acts}. No third person is there: it becomes theirs alone ${ALONE_HOURS} hours after the last of these acts.`,
  'independence.error.too_new':
    'The recovery key and copies of the installation are for an account that is its holder’s alone and at least 7 days old; another platform administrator has them meanwhile.',
} as const
