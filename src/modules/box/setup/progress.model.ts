import { type Static, Type } from '@sinclair/typebox'
import { OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

/** The first steps of a new firm: those to its first settled deposit, in order, and then those that can come later. */
export const STEPS = [
  'first_colleague',
  'sanctions_list',
  'first_client',
  'first_deposit',
  'second_manager',
  'mail_server',
  'backups',
  'second_factor',
  'exchange_rates',
  'gateway_or_key',
  'working_hours',
  'logo',
] as const
export type Step = (typeof STEPS)[number]

export const ProgressIn = nameSchema(
  'SetupProgressIn',
  Strict({ putAway: Type.Boolean({ description: 'the console shows the steps no more' }) }),
)
export const ProgressOut = nameSchema(
  'SetupProgress',
  Type.Object({
    steps: Type.Array(Type.Object({ step: OneOf(STEPS), done: Type.Boolean() }), {
      description: 'as the firm’s rows have it now',
      examples: [STEPS.map((step) => ({ step, done: step === 'first_client' }))],
    }),
    complete: Type.Boolean({ description: 'every step is done' }),
    putAway: Type.Boolean({ description: 'an administrator put the steps away' }),
    version: Type.Integer({ description: 'of what was put away; 0 until then' }),
  }),
)
export type Progress = Static<typeof ProgressOut>
