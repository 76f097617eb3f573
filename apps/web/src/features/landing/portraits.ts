import alex from '../../../assets/alex.avif'
import sofia from '../../../assets/sofia.jpg'

/**
 * The prerendered page contains the larger portrait. A separate request would be a second round trip before the largest
 * paint. The application continues to use the copy in the page.
 */
function portraitInPage(): string | null | undefined {
  return globalThis.document?.querySelector('[data-portrait] img')?.getAttribute('src')
}

export const portraits = { her: portraitInPage() ?? sofia, yours: alex }
