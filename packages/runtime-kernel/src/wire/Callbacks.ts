/**
 * Numbers of what a kernel hands to its host. Those of one namespace do not depend on others that share the process: a
 * cell that runs again, also elsewhere, gives the same.
 */

/** More than there are namespaces in a process. */
const namespaces = 1 << 20

/** `n`: 1, 2, 3... within the namespace. */
export const callbackId = (n: number, ns: number): number => n * namespaces + ns

export const callbackNumber = (id: number): number => Math.floor(id / namespaces)
