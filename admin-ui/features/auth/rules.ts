type Rule = (value: string) => string | null

export const PASSWORD_LENGTH = 10

/** Form rules answer null, or what is wrong in words. The server checks again. */
export const required =
  (message: string): Rule =>
  (value) =>
    value.trim() ? null : message

export const isEmail: Rule = (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : 'Enter an e-mail address')

export const newPassword: Rule = (value) =>
  value.length >= PASSWORD_LENGTH ? null : `Use at least ${PASSWORD_LENGTH} characters`
