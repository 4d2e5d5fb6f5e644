import { traderName } from '../../clients/traders/trader-names.ts'
import {
  deleteTrader,
  downloadBundle,
  inviteTrader,
  restoreTrader,
  type Trader,
  updateTrader,
} from '../../clients/traders/traders.api.ts'
import { say } from './words.ts'

/** What can be done with a client as a whole, in the words of the question that is asked before. */
export type Act = {
  title: string
  /** What it is called in the menu. */
  menu: string
  text: string
  label: string
  done: string
  danger: boolean
  run: () => Promise<unknown>
}

/** The relation with a client begins again, rests or ends. */
const statusActsOf = (trader: Trader) => {
  const name = traderName(trader)
  const to = (status: Trader['status']) => () => updateTrader(trader.id, { status }, trader.version)
  return {
    activate: {
      title: say('client.activate_this_client'),
      menu: say('client.activate'),
      text: say('client.can_sign_in_deposit', { name }),
      label: say('client.activate'),
      done: say('client.client_activated'),
      danger: false,
      run: to('active'),
    },
    suspend: {
      title: say('client.suspend_this_client'),
      menu: say('client.suspend'),
      text: say('client.can_no_longer_deposit', { name }),
      label: say('client.suspend'),
      done: say('client.client_suspended'),
      danger: true,
      run: to('suspended'),
    },
    close: {
      title: say('client.close_this_client'),
      menu: say('common.close'),
      text: say('client.relation_with_ends_record', { name }),
      // “Close” alone is what the cross of every dialog is called.
      label: say('client.close_client'),
      done: say('client.client_closed'),
      danger: true,
      run: to('closed'),
    },
  } satisfies Record<string, Act>
}

const holdOf = ({ id, version, legalHold }: Trader): Act =>
  legalHold
    ? {
        title: say('client.lift_legal_hold'),
        menu: say('client.lift_legal_hold'),
        text: say('client.erasure_money_out_become'),
        label: say('client.lift_hold'),
        done: say('client.legal_hold_lifted'),
        danger: false,
        run: () => updateTrader(id, { legalHold: false }, version),
      }
    : {
        title: say('client.place_legal_hold'),
        menu: say('client.place_legal_hold'),
        text: say('client.nothing_about_this_client'),
        label: say('client.place_hold'),
        done: say('client.legal_hold_placed'),
        danger: false,
        run: () => updateTrader(id, { legalHold: true }, version),
      }

/** The record itself goes, comes back, or is given to the client. */
const recordActsOf = (trader: Trader) => {
  const { id, version } = trader
  const name = traderName(trader)
  return {
    remove: {
      title: say('client.delete_this_client'),
      menu: say('client.delete'),
      text: say('client.disappears_from_lists_signed', { name }),
      label: say('client.delete_client'),
      done: say('client.client_deleted'),
      danger: true,
      run: () => deleteTrader(id, version),
    },
    restore: {
      title: say('client.restore_this_client'),
      menu: say('client.restore'),
      text: say('client.comes_back_to_lists', { name }),
      label: say('client.restore'),
      done: say('client.client_restored'),
      danger: false,
      run: () => restoreTrader(id),
    },
    bundle: {
      title: say('client.privacy.title'),
      menu: say('client.privacy.act'),
      text: say('client.privacy.text', { name }),
      label: say('client.privacy.download'),
      done: say('client.privacy.done'),
      danger: false,
      run: () => downloadBundle(id),
    },
  } satisfies Record<string, Act>
}

const inviteOf = (trader: Trader): Act => ({
  title: say('client.invite_to_sign_in'),
  menu: say('client.invite_to_sign_in'),
  text: say('client.gets_mail_with_link', { name: traderName(trader) }),
  label: say('client.send_invitation'),
  done: say('client.invitation_sent'),
  danger: false,
  run: () => inviteTrader(trader.id),
})

/** All acts, over the version of the client that is given. */
export const actsOf = (trader: Trader) => ({
  ...statusActsOf(trader),
  ...recordActsOf(trader),
  hold: holdOf(trader),
  invite: inviteOf(trader),
})
