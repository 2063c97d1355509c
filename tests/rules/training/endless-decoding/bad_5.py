import numpy as np
def decode_sequence(encoder_model, decoder_model, input_seq, target_token_index, reverse):
    states_value = encoder_model.predict(input_seq)
    target_seq = np.zeros((1, 1, 70))
    target_seq[0, 0, target_token_index['\t']] = 1.
    decoded = ''
    sampled_char = ''
    while sampled_char != '\n':
        output_tokens, h, c = decoder_model.predict([target_seq] + states_value)
        sampled_token_index = np.argmax(output_tokens[0, -1, :])
        sampled_char = reverse[sampled_token_index]
        decoded += sampled_char
        states_value = [h, c]
    return decoded
