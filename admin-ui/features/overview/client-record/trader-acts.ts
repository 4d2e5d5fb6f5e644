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

/** An act on a client as a whole, with the texts of the question that is asked before it. */
export type Act = {
  title: string
  /** The menu shows this name. */
  menu: string
  text: string
  label: string
  done: string
  danger: boolean
  /** Does it, and returns what takes it back; a block that is set has no such thing, since another person lifts it. */
  run: () => Promise<(() => Promise<unknown>) | undefined>
}

/** Runs what cannot be taken back. */
const once = (act: () => Promise<unknown>) => async (): Promise<undefined> => {
  await act()
}

/** Returns the acts that activate, suspend or close a client. */
const buildStatusActs = (trader: Trader) => {
  const name = traderName(trader)
  const to = (status: Trader['status']) => once(() => updateTrader(trader.id, { status }, trader.version))
  return {
    activate: {
      title: say('client.activate.title'),
      menu: say('client.activate'),
      text: say('client.activate.about', { name }),
      label: say('client.activate'),
      done: say('client.activate.done'),
      danger: false,
      run: async () => {
        const { id, version } = await updateTrader(trader.id, { status: 'active' }, trader.version)
        return () => updateTrader(id, { status: trader.status }, version)
      },
    },
    suspend: {
      title: say('client.suspend.title'),
      menu: say('client.suspend'),
      text: say('client.suspend.about', { name }),
      label: say('client.suspend'),
      done: say('client.suspend.done'),
      danger: true,
      run: to('suspended'),
    },
    close: {
      title: say('client.close.title'),
      menu: say('common.close'),
      text: say('client.close.about', { name }),
      // “Close” alone is the name of the cross in every dialog.
      label: say('client.close.submit'),
      done: say('client.close.done'),
      danger: true,
      run: to('closed'),
    },
  } satisfies Record<string, Act>
}

const buildHoldAct = ({ id, version, legalHold }: Trader): Act =>
  legalHold
    ? {
        title: say('client.lift_hold.title'),
        menu: say('client.lift_hold.title'),
        text: say('client.lift_hold.about'),
        label: say('client.lift_hold.submit'),
        done: say('client.lift_hold.done'),
        danger: false,
        run: async () => {
          const after = await updateTrader(id, { legalHold: false }, version)
          return () => updateTrader(id, { legalHold: true }, after.version)
        },
      }
    : {
        title: say('client.place_hold.title'),
        menu: say('client.place_hold.title'),
        text: say('client.place_hold.about'),
        label: say('client.place_hold.submit'),
        done: say('client.place_hold.done'),
        danger: false,
        run: once(() => updateTrader(id, { legalHold: true }, version)),
      }

/** Returns the acts that delete, restore or export the record. */
const buildRecordActs = (trader: Trader) => {
  const { id, version } = trader
  const name = traderName(trader)
  return {
    remove: {
      title: say('client.delete.title'),
      menu: say('client.delete'),
      text: say('client.delete.about', { name }),
      label: say('client.delete.submit'),
      done: say('client.delete.done'),
      danger: true,
      run: async () => {
        await deleteTrader(id, version)
        return () => restoreTrader(id)
      },
    },
    restore: {
      title: say('client.restore.title'),
      menu: say('client.restore'),
      text: say('client.restore.about', { name }),
      label: say('client.restore'),
      done: say('client.restore.done'),
      danger: false,
      run: async () => {
        const after = await restoreTrader(id)
        return () => deleteTrader(id, after.version)
      },
    },
    bundle: {
      title: say('client.privacy.title'),
      menu: say('client.privacy.act'),
      text: say('client.privacy.text', { name }),
      label: say('client.privacy.download'),
      done: say('client.privacy.done'),
      danger: false,
      run: once(() => downloadBundle(id)),
    },
  } satisfies Record<string, Act>
}

const buildInviteAct = (trader: Trader): Act => ({
  title: say('client.invite.title'),
  menu: say('client.invite.title'),
  text: say('client.invite.about', { name: traderName(trader) }),
  label: say('client.invite.submit'),
  done: say('client.invite.done'),
  danger: false,
  run: once(() => inviteTrader(trader.id)),
})

/** Returns all acts. Each is refused if somebody changed the given client since it was read. */
export const buildActs = (trader: Trader) => ({
  ...buildStatusActs(trader),
  ...buildRecordActs(trader),
  hold: buildHoldAct(trader),
  invite: buildInviteAct(trader),
})
