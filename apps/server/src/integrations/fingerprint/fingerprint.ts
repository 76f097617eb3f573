/** An outside service that recognises browsers, and knows which visitor it has told which browser. */
export interface FingerprintService {
  /** Whether the service gave this visitor id in this request, just now. `unavailable`: it does not answer, or refuses us. */
  confirm(of: {
    readonly visitor_id: string
    readonly request_id: string
  }): Promise<'confirmed' | 'refuted' | 'unavailable'>
}
