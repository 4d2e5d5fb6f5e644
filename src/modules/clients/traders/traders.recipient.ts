import type { Recipients } from '../../base/mails/mails.hooks.ts'
import { traders } from './traders.table.ts'

export const findClient: Recipients['traders']['find'] = (db, who, options) => db.find(traders, who, options)
