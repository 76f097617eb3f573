import { Component, type ReactNode } from 'react'
import { retryFailedScreens } from '../../shared/lazy-screen.ts'

interface BoundaryProps {
  /** Shown instead of the broken part. */
  fallback: ReactNode
  /** The broken part is tried again when this changes. */
  resetKey?: string
  /** Called after the fallback is shown. */
  onBroken?: () => void
  children: ReactNode
}

/** Limits a failure to one part of the page, so that the dialogs that block the page can still be shown. */
export class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    reportError(error)
    retryFailedScreens()
    this.props.onBroken?.()
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (this.state.isBroken && before.resetKey !== this.props.resetKey)
      this.setState({ isBroken: false })
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
