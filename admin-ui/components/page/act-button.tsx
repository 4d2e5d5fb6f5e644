import { Button, type ButtonProps, Kbd } from '@mantine/core'
import { useScreenKeys } from '../../lib/screen/screen-keys.ts'

type ActButtonProps = ButtonProps & {
  /** The key that presses it, in lower case. */
  hotkey: string
  /** Whether it is shown but cannot be pressed now. */
  barred?: boolean
  onClick: () => void
  children: string
}

/** A button for an act on the open record, which shows its key. */
export const ActButton = ({ hotkey, barred = false, onClick, children, ...button }: ActButtonProps) => {
  useScreenKeys(barred ? [] : [{ key: hotkey, does: children, act: onClick }])
  return (
    <Button
      {...button}
      {...(barred && { 'data-disabled': true, 'aria-disabled': true })}
      aria-keyshortcuts={hotkey.toUpperCase()}
      rightSection={
        <Kbd size="xs" aria-hidden visibleFrom="sm">
          {hotkey.toUpperCase()}
        </Kbd>
      }
      onClick={() => {
        if (!barred) onClick()
      }}
    >
      {children}
    </Button>
  )
}
