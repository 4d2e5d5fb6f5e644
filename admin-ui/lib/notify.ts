import { notifications } from '@mantine/notifications'

/** Says that something has been done. Failures are shown where they happened. */
export const notify = (message: string): void => {
  notifications.show({ message })
}

/** Says what failed after its place on the screen was left. It stays until somebody has read it. */
export const notifyFailure = (message: string): void => {
  notifications.show({ message, color: 'red', autoClose: false })
}
