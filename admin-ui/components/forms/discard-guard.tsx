import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Unanswered } from '../../lib/api/pending-acts.ts'
import { isPasswordAsked } from '../../lib/api/use-held-requests.ts'
import { holdEsc } from '../../lib/screen/escape-key.ts'
import { isLettingGo, letAllGo, openGuard, someUnanswered } from '../../lib/screen/open-guards.ts'
import { say } from '../../lib/text/words.ts'

const whatIsLost = (unanswered: boolean): string =>
  unanswered ? say('parts.discard.unanswered') : say('parts.discard.unsaved')

type DiscardGuardInput = {
  opened: boolean
  /** Whether something was typed that has not been sent. */
  isDirty: () => boolean
  /** Whether something is on its way, as drawn, and at this very moment. */
  sending: boolean
  isSending: () => boolean
  /** What was sent and never answered; it is given up with the form. */
  unanswered: Unanswered
  /** The act itself may go to another page before it ends; only Back and Forward then leave it. */
  actLeaves?: boolean
  onClose: () => void
}

type Guard = {
  /** Closes the form; it takes the place of the form's own closing. */
  close: () => void
  /** Stands before anything else that gives up what was typed. */
  guard: (act: () => void) => void
  /** Drawn beside the form. */
  question: ReactNode
}

/**
 * Keeps a form from being lost: closing it, or leaving its page, asks first when something was typed. What
 * is on its way cannot be taken back, so nothing closes the form over it, and leaving is told so. Several
 * forms of one page ask once for all.
 */
export const useDiscardGuard = (input: DiscardGuardInput): Guard => {
  const { opened, isDirty, sending, isSending, unanswered, actLeaves = false, onClose } = input
  /** What is done once the reader says that the words may go. */
  const [asked, setAsked] = useState<(() => void) | null>(null)
  const holds = (): boolean => opened && (isDirty() || isSending())
  const leaving = useLeaving({ opened, holds, actLeaves })
  // Entered anew after the form was closed, the same is meant as another act.
  useEffect(() => (opened ? unanswered.forget : undefined), [opened, unanswered])
  useEffect(() => {
    if (sending) return holdEsc()
  }, [sending])
  useEffect(() => {
    if (opened) return openGuard({ holds, isUnanswered: unanswered.some, ask: (act) => setAsked(() => act) })
  })
  const keep = (): void => {
    setAsked(null)
    leaving.stay()
  }
  const discard = (): void => {
    setAsked(null)
    if (leaving.asks) leaving.leave()
    else asked?.()
  }
  const guard = (act: () => void): void => {
    if (isSending()) return
    if (isDirty()) setAsked(() => act)
    else act()
  }
  const lost = (): string => whatIsLost(leaving.asks ? someUnanswered() : unanswered.some())
  return {
    close: () => guard(onClose),
    guard,
    // Drawn only while it is asked: one that stood there closed would take the very Esc that opened it.
    question: (asked !== null || (leaving.asks && !isPasswordAsked())) && (
      <DiscardQuestion sending={sending} lost={lost()} onKeep={keep} onDiscard={discard} />
    ),
  }
}

type LeavingInput = { opened: boolean; holds: () => boolean; actLeaves: boolean }

/** Holds the page back while a form holds something, and lets it go when there is nothing left to ask. */
function useLeaving({ opened, holds, actLeaves }: LeavingInput) {
  const leaving = useBlocker({
    shouldBlockFn: ({ action }) =>
      holds() && !isLettingGo() && !(actLeaves && (action === 'PUSH' || action === 'REPLACE')),
    enableBeforeUnload: holds,
    disabled: !opened,
    withResolver: true,
  })
  const asks = leaving.status === 'blocked'
  // Over the question for the password nobody could answer this one, and the words wait for that answer.
  useEffect(() => {
    if (asks && isPasswordAsked()) leaving.reset()
  })
  // The answer came while it was asked: nothing is left to ask. What was refused stays to be read.
  useEffect(() => {
    if (!asks || holds()) return
    if (opened) leaving.reset()
    else leaving.proceed()
  })
  // The answer to what was sent may take the whole dialog away while leaving is still
  // asked: nobody can answer any more, and the navigation would wait for ever.
  const gone = useRef(leaving.proceed)
  useEffect(() => {
    gone.current = leaving.proceed
  })
  useEffect(() => () => gone.current?.(), [])
  return {
    asks,
    stay: (): void => leaving.reset?.(),
    /** Leaves the page, and with it all that its forms hold. */
    leave: (): void => {
      letAllGo()
      leaving.proceed?.()
    },
  }
}

type DiscardQuestionProps = { sending: boolean; lost: string; onKeep: () => void; onDiscard: () => void }

const DiscardQuestion = ({ sending, lost, onKeep, onDiscard }: DiscardQuestionProps) => (
  <Modal
    opened
    onClose={onKeep}
    title={sending ? say('parts.discard.title_sending') : say('parts.discard.title')}
    size="xs"
    zIndex={300}
  >
    <Stack>
      <Text size="sm">{sending ? say('parts.discard.sending') : lost}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" color="red" onClick={onDiscard}>
          {sending ? say('parts.discard.leave') : say('parts.discard.submit')}
        </Button>
        <Button onClick={onKeep} data-autofocus>
          {sending ? say('parts.discard.stay') : say('parts.discard.keep')}
        </Button>
      </Group>
    </Stack>
  </Modal>
)
