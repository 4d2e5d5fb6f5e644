import { traderName } from '../../clients/traders/trader-names.ts'
import {
  deleteTrader,
  downloadBundle,
  inviteTrader,
  restoreTrader,
  type Trader,
  type TraderChange,
  updateTrader,
} from '../../clients/traders/traders.api.ts'
import { say } from './words.ts'

/** An act on a client as a whole has the texts of the question that is asked before it. */
export type Act = {
  title: string
  /** The menu shows this name. */
  menu: string
  text: string
  label: string
  done: string
  danger: boolean
  /** Does it, and returns what takes it back, if anything does. */
  run: () => Promise<Undo | null>
}

type Undo = () => Promise<unknown>

/** Returns the change of a client, which is taken back over the version that it made if `back` is given. */
const buildRun =
  ({ id, version }: Trader, change: TraderChange, back: TraderChange | null) =>
  async (): Promise<Undo | null> => {
    const after = await updateTrader(id, change, version)
    return back && (() => updateTrader(id, back, after.version))
  }

/** Returns an act that nothing takes back. */
const forGood = (act: () => Promise<unknown>) => async (): Promise<null> => {
  await act()
  return null
}

/** Returns the acts that activate, suspend or close a client. */
const buildStatusActs = (trader: Trader) => {
  const name = traderName(trader)
  const { status: before } = trader
  // Only between active and suspended, and from closed to active, a client is moved both ways.
  const to = (status: Trader['status']) =>
    buildRun(
      trader,
      { status },
      before === 'active' || (before === 'suspended' && status === 'active') ? { status: before } : null,
    )
  return {
    activate: {
      title: say('client.activate.title'),
      menu: say('client.activate'),
      text: say('client.activate.about', { name }),
      label: say('client.activate'),
      done: say('client.activate.done'),
      danger: false,
      run: to('active'),
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

const buildHoldAct = (trader: Trader): Act =>
  trader.legalHold
    ? {
        title: say('client.lift_hold.title'),
        menu: say('client.lift_hold.title'),
        text: say('client.lift_hold.about'),
        label: say('client.lift_hold.submit'),
        done: say('client.lift_hold.done'),
        danger: false,
        run: buildRun(trader, { legalHold: false }, { legalHold: true }),
      }
    : {
        title: say('client.place_hold.title'),
        menu: say('client.place_hold.title'),
        text: say('client.place_hold.about'),
        label: say('client.place_hold.submit'),
        done: say('client.place_hold.done'),
        danger: false,
        run: buildRun(trader, { legalHold: true }, { legalHold: false }),
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
      run: forGood(() => restoreTrader(id)),
    },
    bundle: {
      title: say('client.privacy.title'),
      menu: say('client.privacy.act'),
      text: say('client.privacy.text', { name }),
      label: say('client.privacy.download'),
      done: say('client.privacy.done'),
      danger: false,
      run: forGood(() => downloadBundle(id)),
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
  run: forGood(() => inviteTrader(trader.id)),
})

/** Returns all acts. Each is sent over the version of the given client. */
export const buildActs = (trader: Trader) => ({
  ...buildStatusActs(trader),
  ...buildRecordActs(trader),
  hold: buildHoldAct(trader),
  invite: buildInviteAct(trader),
})
