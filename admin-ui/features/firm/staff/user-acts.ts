import type { User } from '../users/users.api.ts'
import { deleteUser, resendInvite, resetTwoFactor, updateUser } from './staff.api.ts'
import { say } from './words.ts'

/** Something done to a user after a question. */
export type UserAct = {
  title: string
  text: string
  label: string
  done: string
  danger: boolean
  run: () => Promise<unknown>
  /** Who goes by it. */
  leaver?: User
  /** Whose invitation went out again. */
  invited?: User
}

/** What can be done with a user, each with its question and its outcome in words. */
export const userActs = (user: User) => {
  const { id, version, displayName: name } = user
  return {
    resend: {
      title: say('users.send_invitation_again'),
      text: say('users.gets_new_link_old', { name }),
      label: say('users.send_again'),
      // what became of the mail is told by whoever follows it
      done: '',
      danger: false,
      run: () => resendInvite(id),
      invited: user,
    },
    enable: {
      title: say('users.enable_this_user'),
      text: say('users.can_sign_in_again', { name }),
      label: say('users.enable'),
      done: say('users.user_enabled'),
      danger: false,
      run: () => updateUser(id, { status: 'active' }, version),
    },
    disable: {
      title: say('users.disable_this_user'),
      text: say('users.signed_out_at_once', { name }),
      label: say('users.disable'),
      done: say('users.user_disabled'),
      danger: true,
      run: () => updateUser(id, { status: 'disabled' }, version),
      leaver: user,
    },
    resetTwoFactor: {
      title: say('users.reset_two_step_sign'),
      text: say('users.for_colleague_who_lost', { name }),
      label: say('users.reset'),
      done: say('users.two_step_sign_in'),
      danger: true,
      run: () => resetTwoFactor(id),
    },
    remove: {
      title: say('users.delete_this_user'),
      text: say('users.signed_out_at_once_api', { name }),
      label: say('users.delete_user'),
      done: say('users.user_deleted'),
      danger: true,
      run: () => deleteUser(id, version),
      leaver: user,
    },
  } satisfies Record<string, UserAct>
}
