import { deleteUser, resendInvite, resetTwoFactor, type User, updateUser } from './users.api.ts'

/** Something done to a user after a question. */
export type UserAct = {
  title: string
  text: string
  label: string
  done: string
  danger: boolean
  run: () => Promise<unknown>
  /** Whose invitation went out again. */
  invited?: User
}

/** What can be done with a user, each with its question and its outcome in words. */
export const userActs = (user: User) => {
  const { id, version, displayName: name } = user
  return {
    resend: {
      title: 'Send the invitation again',
      text: `${name} gets a new link; the old one no longer works.`,
      label: 'Send again',
      // what became of the mail is told by whoever follows it
      done: '',
      danger: false,
      run: () => resendInvite(id),
      invited: user,
    },
    enable: {
      title: 'Enable this user',
      text: `${name} can sign in again, with the same roles as before.`,
      label: 'Enable',
      done: 'User enabled.',
      danger: false,
      run: () => updateUser(id, { status: 'active' }, version),
    },
    disable: {
      title: 'Disable this user',
      text: `${name} is signed out at once, and API keys made by this user stop working.`,
      label: 'Disable',
      done: 'User disabled.',
      danger: true,
      run: () => updateUser(id, { status: 'disabled' }, version),
    },
    resetTwoFactor: {
      title: 'Reset two-step sign-in',
      text: `For a colleague who lost their phone and their codes. ${name} signs in with the password alone until they turn it on again, and is told by mail.`,
      label: 'Reset',
      done: 'Two-step sign-in is off for this user.',
      danger: true,
      run: () => resetTwoFactor(id),
    },
    remove: {
      title: 'Delete this user',
      text: `${name} is signed out at once and API keys made by this user stop working. What this user did stays in the audit log.`,
      label: 'Delete user',
      done: 'User deleted.',
      danger: true,
      run: () => deleteUser(id, version),
    },
  } satisfies Record<string, UserAct>
}
