import { say } from './words.ts'

type Rule = (value: string) => string | null

export const PASSWORD_LENGTH = 10

/** A form rule returns null, or a sentence that says what is wrong. The server checks again. */
export const required =
  (message: string): Rule =>
  (value) =>
    value.trim() ? null : message

export const isEmail: Rule = (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : say('auth.email.required'))

export const newPassword: Rule = (value) =>
  value.length >= PASSWORD_LENGTH ? null : say('auth.password.too_short', { passwordLength: PASSWORD_LENGTH })
