import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** What stands in the place of what broke. */
  fallback: ReactNode
  children: ReactNode
}

/** Keeps a broken part from taking the page with it: what blocks the page must still be able to say so. */
export class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    reportError(error)
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
