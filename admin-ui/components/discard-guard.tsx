import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { holdEsc } from '../lib/esc.ts'
import { isLettingGo, letAllGo, openGuard, someUnanswered } from '../lib/open-guards.ts'
import type { Unanswered } from '../lib/unanswered.ts'
import { isPasswordAsked } from '../lib/use-held-requests.ts'

const whatIsLost = (unanswered: boolean): string =>
  unanswered
    ? 'No answer came to what you sent, so it may have been done. Look before you enter it again.'
    : 'What you typed here has not been saved.'

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

/**
 * Keeps a form from being lost: closing it, or leaving its page, asks first when something was typed. What
 * is on its way cannot be taken back, so nothing closes the form over it, and leaving is told so. `close`
 * takes the place of the form's own closing, `guard` stands before anything else that gives up what was
 * typed; `question` is drawn beside the form. Several forms of one page ask once for all.
 */
export const useDiscardGuard = ({
  opened,
  isDirty,
  sending,
  isSending,
  unanswered,
  actLeaves = false,
  onClose,
}: DiscardGuardInput): { close: () => void; guard: (act: () => void) => void; question: ReactNode } => {
  /** What is done once the reader says that the words may go. */
  const [asked, setAsked] = useState<(() => void) | null>(null)
  const holds = (): boolean => opened && (isDirty() || isSending())
  const leaving = useBlocker({
    shouldBlockFn: ({ action }) =>
      holds() && !isLettingGo() && !(actLeaves && (action === 'PUSH' || action === 'REPLACE')),
    enableBeforeUnload: holds,
    disabled: !opened,
    withResolver: true,
  })
  // Entered anew after the form was closed, the same is meant as another act.
  useEffect(() => (opened ? unanswered.forget : undefined), [opened, unanswered])
  const blocked = leaving.status === 'blocked'
  const keep = (): void => {
    setAsked(null)
    if (blocked) leaving.reset()
  }
  const discard = (): void => {
    setAsked(null)
    if (blocked) {
      letAllGo()
      leaving.proceed()
    } else asked?.()
  }
  useEffect(() => {
    if (sending) return holdEsc()
  }, [sending])
  useEffect(() => {
    if (opened) return openGuard({ holds, isUnanswered: unanswered.some, ask: (act) => setAsked(() => act) })
  })
  // Over the question for the password nobody could answer this one, and the words wait for that answer.
  useEffect(() => {
    if (blocked && isPasswordAsked()) leaving.reset()
  })
  // The answer came while it was asked: nothing is left to ask. What was refused stays to be read.
  useEffect(() => {
    if (!blocked || holds()) return
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
  const guard = (act: () => void): void => {
    if (isSending()) return
    if (isDirty()) setAsked(() => act)
    else act()
  }
  return {
    close: () => guard(onClose),
    guard,
    // Drawn only while it is asked: one that stood there closed would take the very Esc that opened it.
    question: (asked !== null || (blocked && !isPasswordAsked())) && (
      <Modal opened onClose={keep} title={sending ? 'Leave this page?' : 'Discard changes?'} size="xs" zIndex={300}>
        <Stack>
          <Text size="sm">
            {sending
              ? 'It is being sent; leaving does not stop it.'
              : whatIsLost(blocked ? someUnanswered() : unanswered.some())}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" color="red" onClick={discard}>
              {sending ? 'Leave' : 'Discard'}
            </Button>
            <Button onClick={keep} data-autofocus>
              {sending ? 'Stay' : 'Keep editing'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    ),
  }
}
