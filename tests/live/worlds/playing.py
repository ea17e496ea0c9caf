"""What tests of live worlds have in common."""


def made(builder):
    return builder.get_world(compiled=False)


def texts(world):
    sent = world.message_manager.preprocessed_messages.values()
    return list(dict.fromkeys(str(message) for messages in sent for message in messages))


def of_type(world, kind):
    return [o for o in world.environment_objects.values() if type(o) is kind]
