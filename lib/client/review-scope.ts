/** The scope (`useApiMutation`) of all writes of a batch's review: completing it waits for decisions on their way. */
export const reviewScope = (batchId: string) => `review ${batchId}`
