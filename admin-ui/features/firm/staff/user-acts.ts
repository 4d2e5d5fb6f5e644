import type { User } from '../users/users.api.ts'
import { deleteUser, resendInvite, resetTwoFactor, updateUser } from './staff.api.ts'
import { say } from './words.ts'

/** An act on a user, which is done after a question. */
export type UserAct = {
  title: string
  text: string
  label: string
  done: string
  danger: boolean
  run: () => Promise<unknown>
  /** Takes the act back, over the version that it made. */
  undo?: () => Promise<unknown>
  /** The act takes away this user's access, so the question lists what they leave behind. */
  leaver?: User
  /** The act sends the invitation of this user again. */
  invited?: User
}

/** Returns the acts on a user, each with its question and its outcome in words. */
export const userActs = (user: User) => {
  const { id, version, displayName: name } = user
  const setStatus = (status: 'active' | 'disabled') => {
    const former = status === 'active' ? 'disabled' : 'active'
    // An act makes the next version. If the user has another one, a colleague wrote too, and the undo is refused.
    return {
      run: () => updateUser(id, { status }, version),
      undo: () => updateUser(id, { status: former }, version + 1),
    }
  }
  return {
    resend: {
      title: say('users.resend.title'),
      text: say('users.resend.about', { name }),
      label: say('users.resend.submit'),
      // `followInvitation` reports what became of the mail
      done: '',
      danger: false,
      run: () => resendInvite(id),
      invited: user,
    },
    enable: {
      title: say('users.enable.title'),
      text: say('users.enable.about', { name }),
      label: say('users.enable'),
      done: say('users.enable.done'),
      danger: false,
      ...setStatus('active'),
    },
    disable: {
      title: say('users.disable.title'),
      text: say('users.disable.about', { name }),
      label: say('users.disable'),
      done: say('users.disable.done'),
      danger: true,
      ...setStatus('disabled'),
      leaver: user,
    },
    resetTwoFactor: {
      title: say('users.reset.title'),
      text: say('users.reset.about', { name }),
      label: say('users.reset.submit'),
      done: say('users.reset.done'),
      danger: true,
      run: () => resetTwoFactor(id),
    },
    remove: {
      title: say('users.delete.title'),
      text: say('users.delete.about', { name }),
      label: say('users.delete.submit'),
      done: say('users.delete.done'),
      danger: true,
      run: () => deleteUser(id, version),
      leaver: user,
    },
  } satisfies Record<string, UserAct>
}
