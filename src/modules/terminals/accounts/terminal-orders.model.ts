import { Type } from '@sinclair/typebox'
import { Currency, Id, Line, Nullable, OneOf, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { Leverage } from '../../books/accounts/accounts.table.ts'

const GroupName = { ...Line(300), description: 'a group of the trading server that the connection reads' }

export const OpenAccountIn = nameSchema(
  'TerminalAccountIn',
  Strict({ traderId: Id, connectionId: Id, group: GroupName, leverage: Leverage, currency: Currency }),
)

const OnOff = OneOf(['on', 'off'])
export const ChangeAccountIn = nameSchema(
  'TerminalAccountChange',
  Strict(
    {
      leverage: Type.Optional(Leverage),
      group: Type.Optional(GroupName),
      trading: Type.Optional(OnOff),
      signIn: Type.Optional(OnOff),
      password: Type.Optional(
        OneOf(['main', 'investor'], { description: 'a new one is made and mailed to the client' }),
      ),
    },
    { examples: [{ trading: 'off' }] },
  ),
)

export const RevealIn = nameSchema(
  'AccountPasswordsIn',
  Strict({ token: Type.String({ minLength: 1, maxLength: 200, description: 'of the mailed link' }) }),
)
export const RevealOut = nameSchema(
  'AccountPasswords',
  Type.Object({
    server: Type.String(),
    login: Type.String(),
    main: Nullable(Type.String()),
    investor: Nullable(Type.String()),
  }),
)
